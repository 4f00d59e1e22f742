/// What the JSON dialect takes and writes.
@NullMarked
package gantry.wire.json;

import org.jspecify.annotations.NullMarked;
