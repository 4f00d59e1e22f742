/// The program: its command line, and which parts one process holds.
@NullMarked
package gantry.server;

import org.jspecify.annotations.NullMarked;
