/** Why a text is not a schema that a datatype may have; its message is the end of a sentence. */
export class SchemaFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaFault';
  }
}
