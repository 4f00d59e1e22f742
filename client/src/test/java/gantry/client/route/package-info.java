/// Tests of this room: tables of events and steps, and scripted nameservers on loopback.
@NullMarked
package gantry.client.route;

import org.jspecify.annotations.NullMarked;
