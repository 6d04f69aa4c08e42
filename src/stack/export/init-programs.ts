/**
 * A program that copies the secrets named by its arguments, so that they belong to the user of the pod with mode 0600.
 * Keys of the wallet go to another folder, where existing files stay.
 */
export function copyProgram(keys: string, wallet: string, secrets = '/secrets'): string {
  return [
    `const f=require('node:fs'),p=require('node:path');`,
    `for(const n of process.argv.slice(1)){const w=n.includes('/wallet/');`,
    `const t=w?p.join('${wallet}',p.basename(n)):p.join('${keys}',n);if(w&&f.existsSync(t))continue;`,
    `f.mkdirSync(p.dirname(t),{recursive:true,mode:0o700});f.rmSync(t,{force:true});`,
    `f.writeFileSync(t,f.readFileSync(p.join('${secrets}',n)),{mode:0o600})}`,
  ].join('');
}

/** A program that waits until a contract is on the chain. */
export function waitProgram(url: string, address: string, tokenFile: string | undefined): string {
  const token = tokenFile === undefined ? `''` : `require('node:fs').readFileSync('${tokenFile}','utf8').trim()`;
  return [
    `const t=${token};const headers={'content-type':'application/json',...(t&&{authorization:'Bearer '+t})};`,
    `const body=JSON.stringify({jsonrpc:'2.0',id:1,method:'eth_getCode',params:['${address}','latest']});`,
    `const ask=async()=>{try{const a=await(await fetch('${url}',{method:'POST',headers,body})).json();`,
    `if(a.result?.length>2)process.exit(0)}catch{}setTimeout(ask,1000)};ask()`,
  ].join('');
}
