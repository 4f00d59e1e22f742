package gantry.base;

import java.util.random.RandomGenerator;

/// Gives random numbers; the only source of them in the core.
///
/// For:   named streams, so that a new consumer of randomness does not shift the numbers of the others.
/// Owner: none (immutable); a returned stream belongs to whoever asked for it.
/// Never: secrets.
public interface Entropy {
    RandomGenerator fork(String purpose);
}
