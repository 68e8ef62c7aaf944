import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Progress, Space, Upload } from 'antd'
import { useResumableUpload } from '../upload/use-resumable-upload.tsx'
import type { FileField } from './file.ts'
import { Player } from './video-player.tsx'
import type { InputProps } from './view.tsx'

/** Keeps the address of one uploaded video. */
export default function VideoInput({ field, value, onChange, id, disabled }: InputProps<FileField>) {
  const { running, problem, start } = useResumableUpload(['video'], (url) => onChange?.(url))
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
