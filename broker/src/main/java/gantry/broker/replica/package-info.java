/// A broker as a member of a replica group: its log owned, its role, and what is known of the others.
///
/// For:   `BrokerNode`; status for health, metrics and admin requests.
/// Never: the protocol itself (`gantry.replica`), a file's layout (`store`).
@NullMarked
package gantry.broker.replica;

import org.jspecify.annotations.NullMarked;
