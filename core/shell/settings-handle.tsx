import { CloseOutlined, SettingOutlined } from '@ant-design/icons'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { settingsPanel } from './open-flag.ts'
import './settings-panel.css'

const SettingsPanel = lazy(() => import('./settings-panel.tsx').then((file) => ({ default: file.SettingsPanel })))

/** The handle at the right edge and the panel behind it (shell.md 124). A phone has no edge to spare: its menu has the button. */
export function SettingsHandle({ mobile }: { mobile: boolean }) {
  const open = useSyncExternalStore(settingsPanel.watch, settingsPanel.isOpen)
  // The panel is fetched when it is first opened and stays, so that it slides out again.
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  useEffect(() => () => settingsPanel.set(false), [])
  return (
    <>
      {(!mobile || open) && (
        <button type="button" className="settings-handle" data-open={open} aria-label={open ? '关闭系统布局配置' : '系统布局配置'} title={open ? undefined : '系统布局配置'} aria-expanded={open} onClick={() => settingsPanel.set(!open)}>
          {open ? <CloseOutlined /> : <SettingOutlined />}
        </button>
      )}
      {wanted && <Suspense><SettingsPanel open={open} onClose={() => settingsPanel.set(false)} /></Suspense>}
    </>
  )
}
