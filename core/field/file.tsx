import { PaperClipOutlined } from '@ant-design/icons'
import { Image } from 'antd'
import type { FileField, ImagesField } from './file.ts'
import { later } from './later.tsx'
import { addresses, NONE, type CellProps, type FieldView, type InputProps } from './view.tsx'

function ImageCell({ value }: CellProps<FileField>) {
  return typeof value === 'string' ? <Image src={value} width={36} height={36} className="thumb" alt="" /> : NONE
}

function FileCell({ value }: CellProps<FileField>) {
  return typeof value === 'string' ? <a href={value} target="_blank" rel="noopener noreferrer"><PaperClipOutlined /> 查看</a> : NONE
}

function ImagesCell({ value }: CellProps<ImagesField>) {
  const [first, ...others] = addresses(value)
  return first ? <Image.PreviewGroup items={[first, ...others]}><Image src={first} width={36} height={36} className="thumb" alt="" /></Image.PreviewGroup> : NONE
}

const FileInput = later<InputProps<FileField>>(async () => ({ default: (await import('./file-input.tsx')).FileInput }))
const ImagesInput = later<InputProps<ImagesField>>(async () => ({ default: (await import('./file-input.tsx')).ImagesInput }))

export const imageView: FieldView<FileField> = { Cell: ImageCell, Input: FileInput, width: 70, align: 'center' }
export const fileView: FieldView<FileField> = { Cell: FileCell, Input: FileInput, width: 90 }
export const imagesView: FieldView<ImagesField> = { Cell: ImagesCell, Input: ImagesInput, width: 70, align: 'center' }
