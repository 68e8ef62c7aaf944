import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { FULLSCREEN_UNSUPPORTED } from '../error/error.ts'

function watch(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

/** The whole document in fullscreen and back; Escape is noticed too (shell.md 87, 88). */
export function FullscreenButton() {
  const { message } = App.useApp()
  const full = useSyncExternalStore(watch, () => document.fullscreenElement !== null)
  const toggle = () => {
    if (!document.fullscreenEnabled) return void message.warning(FULLSCREEN_UNSUPPORTED)
    // A browser that promises and then refuses says why by itself.
    void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => message.warning(FULLSCREEN_UNSUPPORTED))
  }
  const name = full ? '退出全屏' : '全屏'
  return <Button type="text" icon={full ? <FullscreenExitOutlined /> : <FullscreenOutlined />} aria-label={name} title={name} onClick={toggle} />
}
