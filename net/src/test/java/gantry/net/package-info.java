/// Tests of the real network and of the other real things behind the seams.
@NullMarked
package gantry.net;

import org.jspecify.annotations.NullMarked;
