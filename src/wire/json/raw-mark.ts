/** Marks a schema member that stays JSON text from the socket to the disk to the socket. */
export const rawMark = 'x-raw';
