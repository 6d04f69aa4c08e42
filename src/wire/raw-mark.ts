/** Marks a member that stays text from the socket to the disk to the socket. */
export const rawMark = 'x-raw';
