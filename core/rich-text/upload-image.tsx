import { request } from '../endpoint/call.tsx'

/** Stores a picture and gives its address. */
export async function uploadImage(file: Blob, name: string): Promise<string> {
  const body = new FormData()
  body.append('file', file, name)
  return (await request<{ url: string }>('POST', '/daoyuan/api/end/files?kind=image', body)).url
}
