/** The reasons why a form cannot be sent, by the names of its fields. */
export type Problems<Name extends string> = Readonly<Partial<Record<Name, string>>>;
