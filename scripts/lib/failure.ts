/** An error that the user can resolve. Its message is printed without a stack trace. */
export class Failure extends Error {}
