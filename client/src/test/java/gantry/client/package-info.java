/// Tests of the client against scripted servers on loopback.
@NullMarked
package gantry.client;

import org.jspecify.annotations.NullMarked;
