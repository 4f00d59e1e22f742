/// The rules of the route table, one by one.
@NullMarked
package gantry.control.routes;

import org.jspecify.annotations.NullMarked;
