import { DownOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Dropdown, Space } from 'antd'
import { createContext, useContext, useRef } from 'react'
import { chooseFiles, pickedFiles, type DroppedFile } from '../../../core/upload/dropped.tsx'

/** Takes files for the library; undefined where the person may not. */
export const UploadContext = createContext<((files: readonly DroppedFile[]) => void) | undefined>(undefined)

/** Chooses files, or a folder whose name becomes a tag. */
export function UploadButton() {
  const add = useContext(UploadContext)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  if (!add) return null
  const choose = async () => {
    const chosen = await chooseFiles()
    if (chosen) add(chosen)
    else files.current?.click()
  }
  const take = (input: HTMLInputElement) => {
    if (input.files) add(pickedFiles(input.files))
    input.value = ''
  }
  return (
    <>
      <Space.Compact>
        <Button type="primary" icon={<UploadOutlined />} onClick={() => void choose()}>上传</Button>
        <Dropdown trigger={['click']} menu={{ items: [{ key: 'folder', label: '上传文件夹（文件夹名作为标签）', onClick: () => folder.current?.click() }] }}>
          <Button type="primary" icon={<DownOutlined />} aria-label="更多上传方式" />
        </Dropdown>
      </Space.Compact>
      <input ref={files} type="file" multiple hidden aria-label="上传文件" onChange={({ target }) => take(target)} />
      <input ref={folder} type="file" hidden aria-label="上传文件夹" onChange={({ target }) => take(target)} {...{ webkitdirectory: '' }} />
    </>
  )
}
