/** They compute and wait for nothing: only a defect takes this long, however slow the machine. */
export const maxMs = 60 * 60_000;
