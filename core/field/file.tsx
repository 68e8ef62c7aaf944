import { DeleteOutlined, PaperClipOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Image, Space, Upload } from 'antd'
import { useState } from 'react'
import { request } from '../endpoint/call.tsx'
import type { FileField } from './file.ts'
import { NONE, type CellProps, type FieldView, type InputProps } from './view.tsx'

interface Uploaded {
  url: string
  name: string
}

function ImageCell({ value }: CellProps<FileField>) {
  return typeof value === 'string' ? <Image src={value} width={36} height={36} className="thumb" alt="" /> : NONE
}

function FileCell({ value }: CellProps<FileField>) {
  return typeof value === 'string' ? <a href={value} target="_blank" rel="noopener noreferrer"><PaperClipOutlined /> 查看</a> : NONE
}

/** Uploads at once and keeps the address; what is wrong with a file is said beside the button and loses nothing. */
function FileInput({ field, value, onChange, id, disabled }: InputProps<FileField>) {
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false })
  const upload = async (file: File) => {
    setState({ busy: true })
    try {
      if (file.size > field.maxBytes) throw new Error(`文件不能超过 ${Math.round(field.maxBytes / 1024 / 1024)} MB`)
      const body = new FormData()
      body.append('file', file)
      const { url } = await request<Uploaded>('POST', `/daoyuan/api/end/files?kind=${field.kind}`, body)
      onChange?.(url)
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, problem: error instanceof Error ? error.message : '上传失败' })
    }
  }
  return (
    <Space orientation="vertical">
      {typeof value === 'string' && (field.kind === 'image' ? <Image src={value} width={96} alt={field.label} /> : <a href={value} target="_blank" rel="noopener noreferrer">查看已上传的文件</a>)}
      <Space>
        <Upload id={id} accept={field.accept.join(',')} showUploadList={false} disabled={disabled} beforeUpload={(file) => { void upload(file); return false }}>
          <Button icon={<UploadOutlined />} loading={state.busy} disabled={disabled}>{value ? '重新上传' : '上传'}</Button>
        </Upload>
        {typeof value === 'string' && !disabled && <Button icon={<DeleteOutlined />} onClick={() => onChange?.(null)}>移除</Button>}
      </Space>
      {state.problem && <span className="problem" role="alert">{state.problem}</span>}
    </Space>
  )
}

export const imageView: FieldView<FileField> = { Cell: ImageCell, Input: FileInput, width: 70, align: 'center' }
export const fileView: FieldView<FileField> = { Cell: FileCell, Input: FileInput, width: 90 }
