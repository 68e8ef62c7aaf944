import { App } from 'antd'
import { useEffect } from 'react'
import { onLongWork } from '../endpoint/call.tsx'
import { LOADING_TOAST_MS } from '../ui/toast.ts'

const KEY = 'long work'

/** Shows that long work is under way until all of it is over, for as long as a request may take (spec 9). */
export function useLongWork(): void {
  const { message } = App.useApp()
  useEffect(() => {
    let waiting = 0
    return onLongWork((over) => {
      waiting += 1
      void message.open({ key: KEY, type: 'loading', content: '处理中，请稍候…', duration: LOADING_TOAST_MS / 1000 })
      void over.then(() => {
        waiting -= 1
        if (waiting === 0) message.destroy(KEY)
      })
    })
  }, [message])
}
