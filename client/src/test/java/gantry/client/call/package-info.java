/// Tests of this room against scripted servers on loopback.
@NullMarked
package gantry.client.call;

import org.jspecify.annotations.NullMarked;
