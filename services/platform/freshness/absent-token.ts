/**
 * The token of a subject that does not exist: a name or viewer id that no user has, a session that is unknown or over. The same
 * in every epoch, since there is nothing else to say. Do not change it: services and gateways of different releases run together.
 */
export const absentToken = "nobody";
