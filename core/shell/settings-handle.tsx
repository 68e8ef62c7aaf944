import { CloseOutlined, SettingOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState } from 'react'
import './settings-panel.css'

const SettingsPanel = lazy(() => import('./settings-panel.tsx').then((file) => ({ default: file.SettingsPanel })))

/** The handle at the right edge and the panel behind it (shell.md 124). */
export function SettingsHandle() {
  const [open, setOpen] = useState(false)
  // The panel is fetched when it is first opened and stays, so that it slides out again.
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <button type="button" className="settings-handle" data-open={open} aria-label={open ? '关闭系统布局配置' : '系统布局配置'} aria-expanded={open}
        onClick={() => { setWanted(true); setOpen(!open) }}>{open ? <CloseOutlined /> : <SettingOutlined />}</button>
      {wanted && <Suspense><SettingsPanel open={open} onClose={() => setOpen(false)} /></Suspense>}
    </>
  )
}
