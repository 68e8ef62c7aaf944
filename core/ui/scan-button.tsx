import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { mayHaveCamera } from './camera.tsx'
import { retryLazy } from './retry-lazy.tsx'
import { useMedia } from './use-media.tsx'

const ScanDialog = retryLazy(async () => ({ default: (await import('./scan-dialog.tsx')).ScanDialog }))

interface Props {
  /** Is given what a code says, once. */
  onScan: (text: string) => void
  /** Whether it stands beside a mouse too: otherwise on what is held in the hand alone. */
  always?: boolean
}

/** Reads a bar code or QR code by the camera; absent where the browser has none to give. */
export function ScanButton({ onScan, always = false }: Props) {
  const [open, setOpen] = useState(false)
  const inHand = useMedia('(pointer: coarse)')
  if (!mayHaveCamera() || !(always || inHand)) return null
  return (
    <>
      <Button type="text" size="small" className="scan-button" icon={<CameraOutlined />} aria-label="用相机扫码" title="用相机扫码" onClick={() => setOpen(true)} />
      {open && <Suspense><ScanDialog onClose={() => setOpen(false)} onScan={(text) => { setOpen(false); onScan(text) }} /></Suspense>}
    </>
  )
}
