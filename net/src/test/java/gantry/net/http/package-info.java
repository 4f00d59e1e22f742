@NullMarked
package gantry.net.http;

import org.jspecify.annotations.NullMarked;
