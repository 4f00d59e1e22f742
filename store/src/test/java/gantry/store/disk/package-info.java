/// Tests of the real `Disk`, in a folder of their own.
@NullMarked
package gantry.store.disk;

import org.jspecify.annotations.NullMarked;
