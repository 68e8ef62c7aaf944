import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Image, Space, Upload } from 'antd'
import { useState } from 'react'
import { request } from '../endpoint/call.tsx'
import type { FileField, ImagesField } from './file.ts'
import { addresses, type InputProps } from './view.tsx'

interface Uploaded {
  url: string
  name: string
}

/**
 * Uploads a file at once.
 * @returns the address that serves it
 * @throws Error with a Chinese sentence
 */
async function upload(file: File, kind: 'image' | 'file', maxBytes: number): Promise<string> {
  if (file.size > maxBytes) throw new Error(`文件不能超过 ${Math.round(maxBytes / 1024 / 1024)} MB`)
  const body = new FormData()
  body.append('file', file)
  return (await request<Uploaded>('POST', `/daoyuan/api/end/files?kind=${kind}`, body)).url
}

/** How an upload goes; what is wrong with a file is said beside the button and loses nothing. */
function useUpload(kind: 'image' | 'file', maxBytes: number, done: (url: string) => void) {
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false })
  const start = async (file: File) => {
    setState({ busy: true })
    try {
      done(await upload(file, kind, maxBytes))
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, problem: error instanceof Error ? error.message : '上传失败' })
    }
  }
  return { ...state, start }
}

/** Keeps the address of one uploaded file. */
export function FileInput({ field, value, onChange, id, disabled }: InputProps<FileField>) {
  const { busy, problem, start } = useUpload(field.kind === 'image' ? 'image' : 'file', field.maxBytes, (url) => onChange?.(url))
  return (
    <Space orientation="vertical">
      {typeof value === 'string' && (field.kind === 'image' ? <Image src={value} width={96} alt={field.label} /> : <a href={value} target="_blank" rel="noopener noreferrer">查看已上传的文件</a>)}
      <Space>
        <Upload id={id} accept={field.accept.join(',')} showUploadList={false} disabled={disabled} beforeUpload={(file) => { void start(file); return false }}>
          <Button icon={<UploadOutlined />} loading={busy} disabled={disabled}>{value ? '重新上传' : '上传'}</Button>
        </Upload>
        {typeof value === 'string' && !disabled && <Button icon={<DeleteOutlined />} onClick={() => onChange?.(null)}>移除</Button>}
      </Space>
      {problem && <span className="problem" role="alert">{problem}</span>}
    </Space>
  )
}

/** Keeps the addresses of several pictures, in order. */
export function ImagesInput({ field, value, onChange, id, disabled }: InputProps<ImagesField>) {
  const list = addresses(value)
  const { busy, problem, start } = useUpload('image', field.maxBytes, (url) => onChange?.([...list, url]))
  return (
    <Space wrap>
      {list.map((url, place) => (
        <Space key={url} orientation="vertical" size={4}>
          <Image src={url} width={96} height={72} className="thumb" alt={`${field.label} ${place + 1}`} />
          {!disabled && <Button size="small" icon={<DeleteOutlined />} onClick={() => onChange?.(list.filter((other) => other !== url))} aria-label={`移除第 ${place + 1} 张`}>移除</Button>}
        </Space>
      ))}
      {list.length < field.most && (
        <Upload id={id} accept={field.accept.join(',')} showUploadList={false} disabled={disabled} beforeUpload={(file) => { void start(file); return false }}>
          <Button icon={<UploadOutlined />} loading={busy} disabled={disabled}>上传图片</Button>
        </Upload>
      )}
      <span className="note">最多 {field.most} 张</span>
      {problem && <span className="problem" role="alert">{problem}</span>}
    </Space>
  )
}
