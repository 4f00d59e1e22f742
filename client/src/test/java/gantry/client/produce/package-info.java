/// Tests of this room against scripted servers on loopback.
@NullMarked
package gantry.client.produce;

import org.jspecify.annotations.NullMarked;
