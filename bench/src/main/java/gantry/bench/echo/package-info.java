/// The floor: a server of its own process that answers frames and does nothing else.
@NullMarked
package gantry.bench.echo;

import org.jspecify.annotations.NullMarked;
