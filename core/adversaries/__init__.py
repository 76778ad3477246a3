"""What attacks are made of: classifiers, searches and decision rules that several attacks share."""
