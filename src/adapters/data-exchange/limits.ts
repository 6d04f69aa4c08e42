/** The largest envelope that is sent or taken: a payload and a group at their limits fit (assurance, 12). */
export const maxEnvelopeBytes = 3_145_728;
