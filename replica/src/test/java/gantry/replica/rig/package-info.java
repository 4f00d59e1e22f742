/// Small stand-ins for what the machines drive: a log in memory, a link that is a list, a notebook.
@NullMarked
package gantry.replica.rig;

import org.jspecify.annotations.NullMarked;
