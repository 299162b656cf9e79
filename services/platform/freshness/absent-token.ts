/**
 * The token of a subject that is not there: a name or viewer id that no user has, a session that is unknown or over. The same
 * in every epoch, since it says all there is to say. Services and gateways of two releases meet: it is not to be changed.
 */
export const absentToken = "nobody";
