/** Why what was entered cannot be sent, by the names of fields. */
export type Problems<Name extends string> = Readonly<Partial<Record<Name, string>>>;
