import { DisconnectOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Says that there is no network; when it is back, what failed meanwhile is read again. */
export function OfflineBar() {
  const online = useSyncExternalStore(watch, () => navigator.onLine)
  const client = useQueryClient()
  const was = useRef(online)
  useEffect(() => {
    if (online && !was.current) void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
    was.current = online
  }, [online, client])
  return online ? null : <output className="offline-bar"><DisconnectOutlined /> 网络已断开，已填写的内容仍在本页，恢复连接后可继续操作。</output>
}
