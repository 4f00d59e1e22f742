/// Tests of this room against scripted servers on loopback.
@NullMarked
package gantry.client.pull;

import org.jspecify.annotations.NullMarked;
