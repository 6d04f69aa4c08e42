export function Published({ isPublished }: { readonly isPublished: boolean | undefined }) {
  return isPublished === true ? 'all parties' : 'this node only';
}
