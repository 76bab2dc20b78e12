interface Node<T> {
  readonly next: Map<number, Node<T>>;
  /** Where to go on when the text goes another way: the longest end of what was read that is a beginning too. */
  otherwise: Node<T> | undefined;
  /** The nearest node along `otherwise` at which a literal ends. */
  shorter: Node<T> | undefined;
  readonly items: T[];
}

/** Many literals as one automaton (Aho and Corasick): all that occur in a text are found in one pass over it. */
export interface LiteralIndex<T> {
  readonly root: Node<T>;
}

/** Builds the index of literals, none of them empty. */
export function indexLiterals<T>(literals: readonly { readonly text: string; readonly item: T }[]): LiteralIndex<T> {
  const root = emptyNode<T>();
  for (const { text, item } of literals) {
    let node = root;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      const next = node.next.get(code) ?? emptyNode<T>();
      node.next.set(code, next);
      node = next;
    }
    node.items.push(item);
  }
  link(root);
  return { root };
}

function emptyNode<T>(): Node<T> {
  return { next: new Map(), otherwise: undefined, shorter: undefined, items: [] };
}

/** Breadth first: shorter texts are linked before longer ones. */
function link<T>(root: Node<T>): void {
  const queue = [root];
  for (const node of queue) {
    for (const [code, next] of node.next) {
      next.otherwise = node === root ? root : follow(node.otherwise, code, root);
      next.shorter = next.otherwise.items.length > 0 ? next.otherwise : next.otherwise.shorter;
      queue.push(next);
    }
  }
}

function follow<T>(from: Node<T> | undefined, code: number, root: Node<T>): Node<T> {
  for (let node = from; node; node = node.otherwise) {
    const next = node.next.get(code);
    if (next) return next;
  }
  return root;
}

/** The items whose literal occurs in the text, each once. */
export function findLiterals<T>({ root }: LiteralIndex<T>, text: string): ReadonlySet<T> {
  const found = new Set<T>();
  const reported = new Set<Node<T>>();
  let node = root;
  for (let index = 0; index < text.length; index += 1) {
    node = follow(node, text.charCodeAt(index), root);
    // What is shorter than a reported node was reported with it.
    for (let end: Node<T> | undefined = node; end && !reported.has(end); end = end.shorter) {
      if (end.items.length === 0) continue;
      reported.add(end);
      for (const item of end.items) found.add(item);
    }
  }
  return found;
}
