/** What the windows of one browser tell each other. */
export type WindowMessage =
  /** Somebody logged out: the session of all windows is over. */
  | { readonly type: 'logout' }
  /** Somebody logged in, perhaps somebody else. */
  | { readonly type: 'login'; readonly staffId: number }
  /** A person's settings changed. */
  | { readonly type: 'settings'; readonly owner: number | undefined; readonly settings: unknown }
  /** The size changed; it is the browser's, not the person's. */
  | { readonly type: 'size'; readonly size: string }

const NAME = 'daoyuan'
const listeners = new Set<(message: WindowMessage) => void>()
let channel: BroadcastChannel | undefined

function open(): BroadcastChannel {
  if (!channel) {
    channel = new BroadcastChannel(NAME)
    channel.addEventListener('message', ({ data }) => {
      for (const listener of listeners) listener(data as WindowMessage)
    })
  }
  return channel
}

/** Tells the other windows; this one does not hear it. */
export function broadcast(message: WindowMessage): void {
  open().postMessage(message)
}

/** Hears the other windows. @returns ends it */
export function onWindows(listener: (message: WindowMessage) => void): () => void {
  open()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
