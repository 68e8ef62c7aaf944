ALTER TABLE "room_member" ADD COLUMN "photo" text;
