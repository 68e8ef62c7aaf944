import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Progress, Space, Upload } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Upload as Resumable } from 'tus-js-client'
import { csrfHeader } from '../endpoint/call.tsx'
import { RESUMABLE_UPLOADS } from '../file/calls.ts'
import { fileUrl } from '../file/url.ts'
import type { FileField } from './file.ts'
import { Player } from './video-player.tsx'
import type { InputProps } from './view.tsx'

/** Pauses before a piece that did not arrive is sent again, in milliseconds. */
const RETRIES = [0, 1000, 3000, 5000, 10_000, 20_000]
/** Bytes of one piece; a proxy in front of the server need not let larger bodies through. */
const PIECE = 8 * 1024 * 1024

interface Running {
  /** Whole percent. */
  percent: number
  /** Stops; what has arrived waits on the server for the same file to be chosen again. */
  stop: () => void
}

/** The sentence of a refused upload. */
function reasonOf(error: unknown): string {
  const answer = error instanceof Error && 'originalResponse' in error ? (error.originalResponse as { getBody(): string } | null)?.getBody() : undefined
  try {
    const { detail } = JSON.parse(answer ?? '') as { detail?: string }
    if (detail) return detail
  } catch {
    // Not one of our answers.
  }
  return '上传中断，请检查网络后重新选择同一个文件，已上传的部分会继续使用'
}

/**
 * Uploads a video in pieces; a broken connection or a closed window costs only the last of them.
 * @param done gets the address that serves the video
 */
function useResumableUpload(maxBytes: number, done: (url: string) => void) {
  const [running, setRunning] = useState<Running>()
  const [problem, setProblem] = useState<string>()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const start = async (file: File) => {
    setProblem(undefined)
    if (file.size > maxBytes) return setProblem(`视频不能超过 ${Math.round(maxBytes / 1024 ** 3)} GB`)
    const upload = new Resumable(file, {
      endpoint: RESUMABLE_UPLOADS, chunkSize: PIECE, retryDelays: RETRIES, removeFingerprintOnSuccess: true,
      metadata: { filename: file.name, kind: 'video' },
      onBeforeRequest: (request) => Object.entries(csrfHeader()).forEach(([name, value]) => request.setHeader(name, value)),
      onProgress: (sent, total) => setRunning((now) => now && { ...now, percent: Math.floor((sent / total) * 100) }),
      onSuccess: () => {
        setRunning(undefined)
        done(fileUrl(upload.url?.split('/').at(-1) ?? ''))
      },
      onError: (error) => {
        setRunning(undefined)
        setProblem(reasonOf(error))
      },
    })
    stop.current = () => {
      void upload.abort()
      setRunning(undefined)
    }
    setRunning({ percent: 0, stop: stop.current })
    const [earlier] = await upload.findPreviousUploads()
    if (earlier) upload.resumeFromPreviousUpload(earlier)
    upload.start()
  }
  return { running, problem, start }
}

/** Keeps the address of one uploaded video. */
export default function VideoInput({ field, value, onChange, id, disabled }: InputProps<FileField>) {
  const { running, problem, start } = useResumableUpload(field.maxBytes, (url) => onChange?.(url))
  return (
    <Space orientation="vertical" className="video-input">
      {typeof value === 'string' && <Player url={value} />}
      {running ? (
        <Space>
          <Progress type="circle" size={32} percent={running.percent} />
          <span aria-live="polite">正在上传 {running.percent}%</span>
          <Button size="small" onClick={running.stop}>取消上传</Button>
        </Space>
      ) : (
        <Space>
          <Upload id={id} accept={field.accept.join(',')} showUploadList={false} disabled={disabled} beforeUpload={(file) => { void start(file); return false }}>
            <Button icon={<UploadOutlined />} disabled={disabled}>{value ? '更换视频' : '上传视频'}</Button>
          </Upload>
          {typeof value === 'string' && !disabled && <Button icon={<DeleteOutlined />} onClick={() => onChange?.(null)}>移除</Button>}
          <span className="note">MP4，最大 {Math.round(field.maxBytes / 1024 ** 3)} GB，断线后可续传</span>
        </Space>
      )}
      {problem && <span className="problem" role="alert">{problem}</span>}
    </Space>
  )
}
