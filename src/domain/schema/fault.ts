/** The reason why a text is not the schema of a datatype; its message completes a sentence. */
export class SchemaFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaFault';
  }
}
