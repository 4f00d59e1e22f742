/// The nameserver as its peers see it, frame by frame.
@NullMarked
package gantry.control.nameserver;

import org.jspecify.annotations.NullMarked;
