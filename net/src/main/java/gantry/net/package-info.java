/// The real world behind the seams: sockets, threads, clocks and random numbers.
///
/// ```
///   Network ◀── NettyNetwork ── LinkHandler (one per connection) ── FrameCutter: received chunk → frames, in place
///                    │                 └─ Outbox: frames of any thread → one flush per burst
///   Clock ◀── SystemClock    Entropy ◀── SystemEntropy    Offload ◀── ThreadOffload    Ticker ──▶ tick()
/// ```
/// Neighbours: implements the seams of `gantry.base`; `server` and `client` wire it; nothing in the core imports it.
@NullMarked
package gantry.net;

import org.jspecify.annotations.NullMarked;
