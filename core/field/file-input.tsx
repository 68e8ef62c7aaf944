import { DeleteOutlined, LeftOutlined, RightOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Image, Space, Upload } from 'antd'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { request } from '../endpoint/call.tsx'
import type { FileField, ImagesField } from './file.ts'
import { addresses, type InputProps } from './view.tsx'
import './file-input.css'

interface Uploaded {
  url: string
  name: string
}

type UploadKind = 'image' | 'file' | 'audio'

/** Under which name a field's files are taken: sound has a kind of its own. */
const uploadKind = ({ kind, accept }: FileField): UploadKind => (kind === 'image' ? 'image' : accept.every((type) => type.startsWith('audio/')) ? 'audio' : 'file')

/**
 * Uploads a file at once.
 * @returns the address that serves it
 * @throws Error with a Chinese sentence
 */
export async function upload(file: File, kind: UploadKind, maxBytes: number): Promise<string> {
  if (file.size > maxBytes) throw new Error(`文件不能超过 ${Math.round(maxBytes / 1024 / 1024)} MB`)
  const body = new FormData()
  body.append('file', file)
  return (await request<Uploaded>('POST', `/daoyuan/api/end/files?kind=${kind}`, body)).url
}

/** How uploads go; what is wrong with a file is said beside the button and loses nothing. Several go one after the other, so that they arrive in order. */
function useUpload(kind: UploadKind, maxBytes: number, done: (url: string) => void) {
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false })
  const start = async (files: readonly File[], notice?: string) => {
    setState({ busy: true })
    const problems = new Set(notice ? [notice] : [])
    for (const file of files) {
      try {
        done(await upload(file, kind, maxBytes))
      } catch (error) {
        problems.add(error instanceof Error ? error.message : '上传失败')
      }
    }
    setState({ busy: false, ...(problems.size > 0 && { problem: [...problems].join('；') }) })
  }
  return { ...state, start }
}

/** Keeps the address of one uploaded file. */
export function FileInput({ field, value, onChange, id, disabled }: InputProps<FileField>) {
  const { busy, problem, start } = useUpload(uploadKind(field), field.maxBytes, (url) => onChange?.(url))
  return (
    <Space orientation="vertical">
      {typeof value === 'string' && (field.kind === 'image' ? <Image src={value} width={96} alt={field.label} /> : <a href={value} target="_blank" rel="noopener noreferrer">查看已上传的文件</a>)}
      <Space>
        <Upload id={id} accept={field.accept.join(',')} showUploadList={false} disabled={disabled} beforeUpload={(file) => { void start([file]); return false }}>
          <Button icon={<UploadOutlined />} loading={busy} disabled={disabled}>{value ? '重新上传' : '上传'}</Button>
        </Upload>
        {typeof value === 'string' && !disabled && <Button icon={<DeleteOutlined />} onClick={() => onChange?.(null)}>移除</Button>}
      </Space>
      {problem && <span className="problem" role="alert">{problem}</span>}
    </Space>
  )
}

/** Keeps the addresses of several pictures, in order: chosen, dropped, or pasted where it has the focus. */
export function ImagesInput({ field, value, onChange, id, disabled }: InputProps<ImagesField>) {
  const list = addresses(value)
  // A picture that arrives joins what is there by then.
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  const write = (next: string[]) => {
    latest.current = next
    onChange?.(next)
  }
  const { busy, problem, start } = useUpload('image', field.maxBytes, (url) => write([...latest.current, url]))
  const add = (files: readonly File[]) => {
    const room = field.most - list.length
    if (files.length > 0 && !busy) void start(files.slice(0, room), files.length > room ? `最多 ${field.most} 张，多出的没有上传` : undefined)
  }
  /** Takes files that came with an event which the page would otherwise answer by itself. */
  const take = (event: SyntheticEvent, files: FileList) => {
    if (disabled || files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    add([...files])
  }
  const move = (place: number, by: -1 | 1) => write(list.toSpliced(place, 1).toSpliced(place + by, 0, list[place] ?? ''))
  return (
    // It takes the focus so that it can be pasted into; all else is done by its buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className="images-input" role="group" aria-label={field.label} tabIndex={disabled ? -1 : 0}
      onPaste={(event) => take(event, event.clipboardData.files)} onDragOver={(event) => event.preventDefault()} onDrop={(event) => take(event, event.dataTransfer.files)}>
      <Image.PreviewGroup>
        {list.map((url, place) => (
          <div key={url}>
            <Image src={url} width={96} height={72} alt={`${field.label} ${place + 1}`} />
            {!disabled && (
              <Space.Compact size="small" block>
                <Button icon={<LeftOutlined />} disabled={place === 0} aria-label={`第 ${place + 1} 张前移`} onClick={() => move(place, -1)} />
                <Button icon={<RightOutlined />} disabled={place === list.length - 1} aria-label={`第 ${place + 1} 张后移`} onClick={() => move(place, 1)} />
                <Button icon={<DeleteOutlined />} aria-label={`移除第 ${place + 1} 张`} onClick={() => write(list.toSpliced(place, 1))} />
              </Space.Compact>
            )}
          </div>
        ))}
      </Image.PreviewGroup>
      {!disabled && (
        <Space wrap>
          {list.length < field.most && (
            <Upload id={id} multiple accept={field.accept.join(',')} showUploadList={false} beforeUpload={(file, files) => { if (file === files[0]) add(files); return false }}>
              <Button icon={<UploadOutlined />} loading={busy}>上传图片</Button>
            </Upload>
          )}
          <span className="note">最多 {field.most} 张{list.length < field.most && '，可拖入，点此处后可粘贴'}</span>
        </Space>
      )}
      {problem && <span className="problem" role="alert">{problem}</span>}
    </div>
  )
}
