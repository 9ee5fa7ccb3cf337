DELETE FROM screen_rows WHERE upload = {upload:String}
