DELETE FROM screen_results WHERE upload = {upload:String}
