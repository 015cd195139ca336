/** An end that the user can act on: its message is printed alone, without a stack. */
export class Failure extends Error {}
