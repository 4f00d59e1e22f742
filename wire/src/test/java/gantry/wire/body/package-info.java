/// The bodies against themselves and against the official libraries.
@NullMarked
package gantry.wire.body;

import org.jspecify.annotations.NullMarked;
