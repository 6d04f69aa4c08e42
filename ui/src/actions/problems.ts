/** The reasons why a form is invalid, by field. */
export type Problems<Name extends string> = Readonly<Partial<Record<Name, string>>>;
