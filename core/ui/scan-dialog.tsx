import { Alert, Button, Modal, Spin } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cameraProblem, openReader } from './camera.tsx'
import './scan.css'

/** Milliseconds between two looks. */
const AGAIN = 150

/** What the camera shows, until a code is in it. */
export function ScanDialog({ onScan, onClose }: { onScan: (text: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const [ready, setReady] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const scanned = useEffectEvent(onScan)
  useEffect(() => {
    let over = false
    let stream: MediaStream | undefined
    let timer = 0
    const stop = () => {
      over = true
      window.clearTimeout(timer)
      stream?.getTracks().forEach((track) => track.stop())
    }
    const begin = async () => {
      const [read, opened] = await Promise.all([openReader(), navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } } })])
      stream = opened
      // It was closed while the browser asked.
      if (over || !video.current) return stop()
      video.current.srcObject = opened
      await video.current.play()
      setReady(true)
      const look = async () => {
        if (over || !video.current) return
        const text = (await read(video.current))?.trim()
        if (over) return
        if (!text) { timer = window.setTimeout(() => void look().catch(fail), AGAIN); return }
        stop()
        scanned(text)
      }
      await look()
    }
    const fail = (error: unknown) => {
      if (over) return
      stop()
      setProblem(cameraProblem(error))
    }
    void begin().catch(fail)
    return stop
  }, [attempt])
  const again = () => {
    setProblem(undefined)
    setReady(false)
    setAttempt(attempt + 1)
  }
  return (
    <Modal open title="用相机扫码" footer={null} onCancel={onClose} width={480} centered>
      {problem ? <Alert type="warning" showIcon role="alert" title={problem} action={<Button size="small" onClick={again}>重试</Button>} /> : (
        <div className="scan-view">
          <video ref={video} playsInline muted aria-label="相机画面" />
          {ready ? <span className="scan-frame" aria-hidden /> : <Spin description="正在打开相机" />}
        </div>
      )}
      <p className="note" aria-live="polite">{problem ? '也可以手工输入编码。' : '把条码或二维码放进框内，读到后自动填入。'}</p>
    </Modal>
  )
}
