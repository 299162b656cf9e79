/** Arguments that are not understood, in words. */
export class WrongCall extends Error {}
