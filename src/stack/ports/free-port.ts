import { createServer, isIP } from 'node:net';
import { isErrno } from '../../supervisor/files/json-file.js';

/** Whether a port is free on both loopback addresses and on that of the nodes; only binding can tell. */
export async function isFree(port: number, bind = '127.0.0.1'): Promise<boolean> {
  const answers: boolean[] = [];
  // One after the other, since a wildcard address includes the others.
  for (const host of new Set(['127.0.0.1', '::1', ...(isIP(bind) === 0 ? [] : [bind])])) {
    answers.push(await canBind(host, port));
  }
  return answers.every(Boolean);
}

function canBind(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (isErrno(error, 'EADDRINUSE', 'EACCES')) resolve(false);
      // Without IPv6, no program can use the port there.
      else if (isErrno(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) resolve(true);
      else reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
