/// The seams for tests of nodes: time that is moved, links that are lists, work that waits to be run.
///
/// ```
///   test ──▶ FakePeer.ask(request) ──▶ Session of the node ──▶ FakeLink ──▶ answers, in order
/// ```
/// Neighbours: tests only; knows no node.
@NullMarked
package gantry.control.fake;

import org.jspecify.annotations.NullMarked;
