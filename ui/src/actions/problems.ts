export type Problems<Name extends string> = Readonly<Partial<Record<Name, string>>>;
