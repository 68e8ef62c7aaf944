import { App, Button } from 'antd'

/** How long a move can be taken back with one click, in seconds. */
const OFFERED = 10

/** Says that a node was moved, and offers to put it back where it was. */
export function useMoved(): (name: string, undo: () => Promise<unknown>) => void {
  const { notification } = App.useApp()
  return (name, undo) => {
    const key = 'node-moved'
    const back = async () => {
      notification.destroy(key)
      // The shell says why, where it could not be done.
      await undo().catch(() => undefined)
    }
    notification.success({ key, title: `已移动「${name}」`, duration: OFFERED, actions: <Button size="small" onClick={() => void back()}>撤销移动</Button> })
  }
}
